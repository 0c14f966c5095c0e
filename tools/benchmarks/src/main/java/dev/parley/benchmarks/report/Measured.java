package dev.parley.benchmarks.report;

/**
 * A benchmark with its parameters.
 *
 * @param key simple name of its class, a dot, its method, and each parameter after a space, sorted by name
 */
record Measured(String key) {

    static Measured of(String benchmark, Object... parameters) {
        StringBuilder key = new StringBuilder(benchmark);
        for (Object parameter : parameters) {
            key.append(' ').append(parameter);
        }
        return new Measured(key.toString());
    }
}
