/** Reading, verification and export of the audit trail in topics and files. */
package dev.parley.cli.verify;
