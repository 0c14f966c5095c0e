/**
 * From a record to a message: which protocol it is, which conversation it belongs to, and the envelope that all protocols share. Pure; a
 * record's headers come in through an interface, so nothing here knows Kafka.
 */
package dev.parley.decode;
