/**
 * Files and directories of Parley's own on the local disk. The witness, the pipeline, the command line and the
 * demo write through it what other users of the machine must neither read nor redirect. Start with
 * {@link dev.parley.file.OwnerOnly}.
 */
package dev.parley.file;
