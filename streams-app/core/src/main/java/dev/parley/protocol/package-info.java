/**
 * The protocols that Parley audits: a {@link dev.parley.protocol.ProtocolDefinition} is the descriptor of one, with
 * codec, detection, rules, state, documentation, and conformance vectors. Stages, views and handlers find a protocol
 * here, and name none themselves. Start with {@code Protocols.STANDARD} of {@link dev.parley.protocol.Protocols}, the
 * only list.
 */
package dev.parley.protocol;
