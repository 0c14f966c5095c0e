package dev.parley.operations;

import java.util.List;

/**
 * The changes that a command would make, in order, and the reasons not to make them.
 *
 * @param steps the changes; an interrupted plan can be created and run again
 * @param refusals the reasons that prevent the plan, each with what to do; empty if it can run
 */
public record ChangePlan(List<Step> steps, List<String> refusals) {

    /** Copies both. */
    public ChangePlan {
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

        /** The action, for example "delete". */
        public String action() {
            return action;
        }

        /** The changed resource, for example "topic parley-parked-changelog". */
        public String subject() {
            return subject;
        }

        /** The lost content, or the resulting value. */
        public String detail() {
            return detail;
        }

        /** Makes the change. Throws if that fails; running the plan again completes a partial change. */
        public void run() {
            work.run();
        }
    }
}
