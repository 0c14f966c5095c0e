/**
 * The protocols that Parley audits, each as one descriptor. A {@link dev.parley.protocol.ProtocolDefinition} brings a
 * protocol's codec and detection, its rules, its state and its place in documentation and conformance kit; {@link
 * dev.parley.protocol.Protocols} is the one list in which it is registered. Whatever depends on the protocol of a
 * message asks this list; start with {@code Protocols.STANDARD}.
 */
package dev.parley.protocol;
