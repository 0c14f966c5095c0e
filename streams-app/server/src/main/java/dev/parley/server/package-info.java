/**
 * The parts of the server by name: its features, its configuration, and the security of its API. Commands, the demo and
 * {@link dev.parley.server.lifecycle.Application} use it; each feature is in a package of its own. Start with
 * {@link dev.parley.server.Features}.
 */
package dev.parley.server;
