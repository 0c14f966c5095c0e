/**
 * States of conversations as of any moment: folds of SLIP, SUBIT and Λ messages, checkpoints of CSP, and the queries
 * over both. Knows only the core: what it reads is behind {@link dev.parley.state.StateSource}, and HTTP and the
 * command line render what it returns. Start at {@link dev.parley.state.StateQueries}.
 */
package dev.parley.state;
