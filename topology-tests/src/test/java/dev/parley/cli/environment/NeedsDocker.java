package dev.parley.cli.environment;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/**
 * Tests that run containers: those of the profile {@code containers}. Skipped, with one line that says so, where no
 * Docker engine answers.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("containers")
@ExtendWith(NeedsDocker.Condition.class)
public @interface NeedsDocker {

    /** Whether Docker answers. */
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (DockerClientFactory.instance().isDockerAvailable()) {
                return ConditionEvaluationResult.enabled("Docker answers");
            }
            String reason = context.getDisplayName() + " is skipped: no Docker engine answers";
            if (context.getTestMethod().isEmpty()) {
                System.out.println(reason);
            }
            return ConditionEvaluationResult.disabled(reason);
        }
    }
}
