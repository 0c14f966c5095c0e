package dev.parley.log;

import dev.parley.log.tlog.Frontier;

/**
 * A log as a task restored it.
 *
 * @param partition partition of the log
 * @param size number of records
 * @param root root of the tree, 32 bytes
 * @param head the tree of the last published head; empty before the first
 */
public record RestoredLog(int partition, long size, byte[] root, Frontier head) {}
