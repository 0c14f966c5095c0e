package dev.parley.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.json.ApiJson;
import dev.parley.json.JsonText;
import dev.parley.json.model.VerdictDetail;
import dev.parley.server.api.DraftHandler.Decoded;
import dev.parley.server.api.DraftHandler.Draft;
import dev.parley.server.cluster.PeerJson;
import dev.parley.server.cluster.PeerProtocolException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A draft that another instance judges. */
class DraftHandlerTest {

    @Test
    void aVerdictOnADraftIsTheSameFromAPeer() throws PeerProtocolException {
        VerdictDetail judged = new VerdictDetail(
                "REJECTED",
                "SLIP_NO_PROPOSAL",
                null,
                "detail",
                "meaning",
                "remedy",
                List.of("k"),
                List.of(new VerdictDetail.Warning("SLIP_TURN_GAP", "gap", null)),
                null,
                null,
                List.of(),
                false);
        Decoded decoded = new Decoded("SLIP", "0", "REQUEST", "gloss", new JsonText("{\"slip\":{\"turn\":0}}"));
        Draft draft = new Draft(judged, true, "default|SLIP|7", decoded, 3, false);
        assertThat(PeerJson.read(PeerJson.bytes(draft), Draft.class)).isEqualTo(draft);
    }

    @Test
    void aDraftThatDoesNotDecodeIsTheSameFromAPeer() throws PeerProtocolException {
        Draft draft =
                new Draft(new VerdictDetail("UNDECODABLE", "detail", List.of()), false, "|UNKNOWN|x", null, 3, true);
        Draft read = PeerJson.read(PeerJson.bytes(draft), Draft.class);
        assertThat(ApiJson.text(read)).contains("\"detail\":\"detail\"").isEqualTo(ApiJson.text(draft));
    }
}
