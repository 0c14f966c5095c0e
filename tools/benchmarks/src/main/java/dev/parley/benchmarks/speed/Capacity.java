package dev.parley.benchmarks.speed;

import dev.parley.load.process.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Computes what rates of messages need from the figures in docs/capacity.md. */
@Command(
        name = "capacity",
        mixinStandardHelpOptions = true,
        description = "Computes the table of docs/capacity.md from its figures, without measuring.")
final class Capacity implements Callable<Integer> {
    private static final String PAGE = "capacity.md";
    private static final String FIGURES = "benchmarks/speed capacity figures";
    private static final String TABLE = "benchmarks/speed capacity";
    private static final List<Double> RATES = List.of(1e3, 1e5, 1e7);

    @Option(names = "--docs", required = true, description = "Directory of the page.")
    private Path docs;

    @Option(names = "--write", description = "Also writes the table into the page.")
    private boolean write;

    @Option(names = "--rates", split = ",", description = "Messages per second to print instead of those of the page.")
    private List<Double> rates = RATES;

    @Override
    public Integer call() throws IOException {
        System.out.print(CapacityModel.table(read(docs), rates));
        if (write) {
            update(docs, read(docs));
        }
        return 0;
    }

    /** Writes figures, and what follows from them, into the page; other figures stay. */
    static void update(Path docs, Figures figures) throws IOException {
        Figures all = read(docs).with(figures);
        Page.write(docs.resolve(PAGE), FIGURES, all.table());
        Page.write(docs.resolve(PAGE), TABLE, CapacityModel.table(read(docs), RATES));
    }

    /** Reads the figures of the page. */
    static Figures read(Path docs) throws IOException {
        return Figures.parse(Page.section(Files.readString(docs.resolve(PAGE)), FIGURES));
    }
}
