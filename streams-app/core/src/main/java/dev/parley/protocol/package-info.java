/**
 * The protocols that Parley audits, and the names of its topics. A {@link dev.parley.protocol.ProtocolDefinition} is
 * the descriptor of one protocol: codec and detection, rules, state, conformance vectors, and glosses. Stages, views
 * and handlers find a protocol here and name none themselves. Start with {@code Protocols.STANDARD} of
 * {@link dev.parley.protocol.Protocols}, the only list.
 */
package dev.parley.protocol;
