/**
 * What a process needs that runs the applications: dependencies and topics at startup, restarts of stream threads, logs
 * of outages, signals. The server, commands, the demo and {@link dev.parley.topology.pipeline.PipelineProcess} use it.
 * Start with {@link dev.parley.topology.lifecycle.Dependencies}.
 */
package dev.parley.topology.lifecycle;
