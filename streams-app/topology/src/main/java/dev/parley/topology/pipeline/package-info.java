/**
 * The application that judges and records messages: decode, and the stages of {@link dev.parley.stage} as processors,
 * with their stores. The server starts it, {@link dev.parley.topology.pipeline.PipelineProcess} runs it alone, and no
 * other application depends on its processors. Start at {@link dev.parley.topology.pipeline.ParleyTopology}.
 */
package dev.parley.topology.pipeline;
