package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;

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
     * @throws Problem if the request cannot be answered
     * @throws ViewsUnavailable if the views cannot be read now
     */
    ObjectNode answer(ViewRequest request, Views views);
}
