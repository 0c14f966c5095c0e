/**
 * The command {@code tools/load/run}, and its runs of load: memory under full load, honest load next to attackers,
 * and the processor time of an idle demo. Nothing depends on it. Start with
 * {@link dev.parley.load.run.LoadCommand}.
 */
package dev.parley.load.run;
