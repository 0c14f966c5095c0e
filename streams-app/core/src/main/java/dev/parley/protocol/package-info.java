/**
 * The protocols that Parley audits. A {@link dev.parley.protocol.ProtocolDefinition} is the descriptor of one protocol:
 * codec, detection, rules, state, documentation, and conformance vectors. {@link dev.parley.protocol.Protocols} is the
 * only list of them; start with {@code Protocols.STANDARD}.
 */
package dev.parley.protocol;
