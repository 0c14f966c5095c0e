/** The audit trail as it stands in topics and files: reading it, verifying it, exporting it. */
package dev.parley.trail;
