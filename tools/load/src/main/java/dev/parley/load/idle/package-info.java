/** The processor time of an idle deployment. Start reading at {@link dev.parley.load.idle.Idle}. */
package dev.parley.load.idle;
