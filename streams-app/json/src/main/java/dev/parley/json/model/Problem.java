package dev.parley.json.model;

/** A problem that ended a request (RFC 9457). */
public record Problem(String type, String title, int status, String detail, String code) {}
