package dev.parley.json.model;

import java.util.List;

/** The paths of the API. */
public record Index(String name, List<String> links) {}
