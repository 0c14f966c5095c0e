package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoReportTest {
    @Test
    void wordsOfCommandsToCopyAreQuotedForTheShell() {
        assertThat(DemoReport.quoted("./parley")).isEqualTo("./parley");
        assertThat(DemoReport.quoted("/opt/two words/bin/parley")).isEqualTo("'/opt/two words/bin/parley'");
        assertThat(DemoReport.quoted("wrong|SLIP|90")).isEqualTo("'wrong|SLIP|90'");
        assertThat(DemoReport.quoted("it's;$HOME")).isEqualTo("'it'\\''s;$HOME'");
    }
}
