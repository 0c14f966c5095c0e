package dev.parley.query.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.query.cluster.ReadConsistency;
import dev.parley.query.http.ProblemException;
import dev.parley.query.read.Views;
import dev.parley.query.read.ViewsUnavailableException;

/**
 * Answers a request from views. It may be called several times for one request, and on several instances: it reads, and
 * changes nothing.
 */
@FunctionalInterface
interface ViewHandler {

    /**
     * The answer.
     *
     * @param request its names and parameters, without those of {@link ReadConsistency}
     * @param views what to read
     * @throws ProblemException if the request cannot be answered
     * @throws ViewsUnavailableException if the views cannot be read now
     */
    ObjectNode answer(ViewRequest request, Views views);
}
