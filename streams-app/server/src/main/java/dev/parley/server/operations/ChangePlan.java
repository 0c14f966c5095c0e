package dev.parley.server.operations;

import java.util.List;

/**
 * The changes that a command would make, in order, and the reasons not to make them.
 *
 * @param steps the changes; an interrupted plan can be created and run again
 * @param refusals the reasons that prevent the plan, each with what to do; empty if it can run
 */
public record ChangePlan(List<Step> steps, List<String> refusals) {

    public ChangePlan {
        steps = List.copyOf(steps);
        refusals = List.copyOf(refusals);
    }

    /**
     * One change.
     *
     * @param action the action, for example "delete"
     * @param subject the changed resource, for example "topic parley-parked-changelog"
     * @param detail the lost content, or the resulting value
     * @param work makes the change, and throws if that fails; running the plan again completes a partial change
     */
    public record Step(String action, String subject, String detail, Runnable work) {}
}
