package dev.parley.codec.slip;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotOrdersTest {
    private static long prefixes(String order) {
        long prefixes = 0;
        for (char prefix : order.toCharArray()) {
            prefixes = prefixes << Byte.SIZE | prefix;
        }
        return prefixes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "gk", "kg", "gkt", "gkprqseu", "tuesqrpk"})
    void theOrderIsThatOfThePrefixes(String order) {
        assertThat(SlotOrders.of(prefixes(order))).isEqualTo(order);
    }

    @Test
    void messagesShareTheTextOfAnOrder() {
        String first = SlotOrders.of(prefixes("gkprt"));
        assertThat(SlotOrders.of(prefixes("gkprt"))).isSameAs(first);
    }

    @Test
    void usualOrdersDoNotReplaceEachOther() {
        List<String> orders = List.of("", "g", "k", "kg", "kt", "kr", "e");
        List<String> texts =
                orders.stream().map(order -> SlotOrders.of(prefixes(order))).toList();
        for (int i = 0; i < orders.size(); i++) {
            assertThat(SlotOrders.of(prefixes(orders.get(i)))).isSameAs(texts.get(i));
        }
    }

    @Test
    void anOrderThatReplacesAnotherInTheTableIsNotMistakenForIt() {
        String slots = "gkprqseu";
        for (int round = 0; round < 2; round++) {
            for (char a : slots.toCharArray()) {
                for (char b : slots.toCharArray()) {
                    for (char c : slots.toCharArray()) {
                        String order = "" + a + b + c;
                        assertThat(SlotOrders.of(prefixes(order))).isEqualTo(order);
                    }
                }
            }
        }
    }
}
