package dev.parley.operations;

import java.util.List;

/**
 * What a command would change, in order, and why it must not.
 *
 * @param steps each thing that is changed; a plan that was cut off may be made and run again
 * @param refusals why nothing may be done now, each with what to do; empty when all is well
 */
public record Plan(List<Step> steps, List<String> refusals) {

    /** Copies both. */
    public Plan {
        steps = List.copyOf(steps);
        refusals = List.copyOf(refusals);
    }

    /** One change. */
    public static final class Step {
        private final String action;
        private final String subject;
        private final String detail;
        private final Runnable work;

        Step(String action, String subject, String detail, Runnable work) {
            this.action = action;
            this.subject = subject;
            this.detail = detail;
            this.work = work;
        }

        /** What is done, for example "delete". */
        public String action() {
            return action;
        }

        /** To what, for example "topic parley-parked-changelog". */
        public String subject() {
            return subject;
        }

        /** More about it: what is lost, or how it will be. */
        public String detail() {
            return detail;
        }

        /** Does it; throws when it cannot be done, with nothing of this step half done that a second run does not mend. */
        public void run() {
            work.run();
        }
    }
}
