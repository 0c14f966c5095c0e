/**
 * Requests for views: validated parameters and paths, operations, and their answers from the instance that has the
 * data. Handlers depend on it, and it depends on no handler. Start at {@link dev.parley.server.api.view.ViewRoute}.
 */
package dev.parley.server.api.view;
