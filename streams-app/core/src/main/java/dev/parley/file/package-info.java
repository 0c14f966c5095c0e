/**
 * Files and directories of Parley's own on the local disk. For whoever writes state, keys or data that other users of
 * the machine must neither read nor redirect. Start with {@link dev.parley.file.OwnerOnly}.
 */
package dev.parley.file;
