package dev.parley.json.model;

import dev.parley.avro.Redrive;
import java.util.List;

/** Redrives, in no particular order. */
public record Redrives(List<Redrive> items) {}
