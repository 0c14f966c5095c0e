package dev.parley.benchmarks.json;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.avro.SubitType;

/** A SUBIT packet. It is JSON on the wire already, so there is nothing to write anew; unknown keys are passed over. */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class SubitJson {
    public SubitType type;
    public String payload;
    public Meta meta;

    /** Who sent it, when, and in which session. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static final class Meta {
        public String agent;
        public String timestamp;
        public String session;
    }
}
