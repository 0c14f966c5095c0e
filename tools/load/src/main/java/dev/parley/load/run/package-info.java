/**
 * The command {@code tools/load/run}. {@link dev.parley.load.run.Bench} runs systems next to a broker. Runs of load
 * check verdicts and memory: {@link dev.parley.load.run.Soak}, {@link dev.parley.load.run.HostileLoad}. Measurements
 * compare speeds, some with a topology of the same shape without Parley's logic:
 * {@link dev.parley.load.run.Throughput}, {@link dev.parley.load.run.Latency}, {@link dev.parley.load.run.ViewSpeed}.
 * Nothing depends on it. Start with {@link dev.parley.load.run.LoadCommand}.
 */
package dev.parley.load.run;
