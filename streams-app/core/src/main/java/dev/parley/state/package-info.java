/**
 * States of conversations as of any point in time: folds of SLIP, SUBIT and Λ messages, checkpoints of CSP, and queries
 * about both. Depends only on the core: queries read a {@link dev.parley.state.StateSource}, and the answers have the
 * components that HTTP API and command line write as JSON. Start at {@link dev.parley.state.StateQueries}.
 */
package dev.parley.state;
