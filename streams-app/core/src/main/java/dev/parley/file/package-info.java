/** Files and directories of Parley's own on the local disk; see {@link dev.parley.file.OwnerOnly}. */
package dev.parley.file;
