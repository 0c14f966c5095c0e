package dev.parley.topology.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TopicInventoryTest {

    @Test
    void operationsAreRequestedOnlyWhereTheyAreUsed() {
        assertThat(requested(admin -> TopicInventory.describe(admin, List.of("a"))))
                .isFalse();
        assertThat(requested(admin -> TopicInventory.describeWithOperations(admin, List.of("a"))))
                .isTrue();
    }

    /** Whether a description of topics requests the authorized operations from brokers that do not respond. */
    private static boolean requested(Consumer<Admin> description) {
        AtomicReference<DescribeTopicsOptions> options = new AtomicReference<>();
        Admin admin = (Admin) Proxy.newProxyInstance(
                Admin.class.getClassLoader(), new Class<?>[] {Admin.class}, (proxy, method, arguments) -> {
                    options.set((DescribeTopicsOptions) arguments[1]);
                    throw new TimeoutException();
                });
        assertThatThrownBy(() -> description.accept(admin)).isInstanceOf(TimeoutException.class);
        return options.get().includeAuthorizedOperations();
    }
}
