/**
 * Operator tools: the preflight checks, the ACLs of each principal, progress monitoring, and the reset to the input.
 * Does not depend on HTTP or the command line.
 */
package dev.parley.server.operations;
