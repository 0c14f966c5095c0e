package dev.parley.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.http.Context;

/** What a route answers of the views. It may be asked again for one request, and in several processes: it reads, and changes nothing. */
@FunctionalInterface
interface Answer {

    /**
     * The answer.
     *
     * @param request its path and its parameters, without those that {@link Routing} takes
     * @param views what may be read for this request; {@link ViewsUnavailable} and {@link Problem} may pass
     */
    ObjectNode to(Context request, Views views);
}
