package dev.parley.benchmarks.json;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.parley.avro.SubitType;

/** A SUBIT packet, which already is JSON on the wire. Unknown keys are ignored. */
@JsonIgnoreProperties(ignoreUnknown = true)
public final class SubitJson {
    public SubitType type;
    public String payload;
    public Meta meta;

    /** Sender, time and session. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    public static final class Meta {
        public String agent;
        public String timestamp;
        public String session;
    }
}
