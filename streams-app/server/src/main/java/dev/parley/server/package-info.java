/**
 * The parts of the server by name: its features and its configuration. The features are in packages of their own, and
 * {@link dev.parley.server.lifecycle.Application} starts and stops them. Start with
 * {@link dev.parley.server.Features}.
 */
package dev.parley.server;
