/**
 * What a conversation's messages add up to, as of any moment: SLIP task boards, SUBIT forms, Λ definitions and agreements. Pure folds over audit
 * records; the states of CSP contexts are in {@link dev.parley.checkpoint}.
 */
package dev.parley.state;
