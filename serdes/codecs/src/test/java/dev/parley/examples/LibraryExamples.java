package dev.parley.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.parley.avro.CspMessage;
import dev.parley.avro.LambdaMessage;
import dev.parley.avro.SlipAct;
import dev.parley.avro.SlipFrame;
import dev.parley.avro.SlipMessage;
import dev.parley.avro.SubitMessage;
import dev.parley.codec.DecodeOptions;
import dev.parley.codec.DecodeResult;
import dev.parley.codec.DecodeResult.Decoded;
import dev.parley.codec.csp.CspCodec;
import dev.parley.codec.csp.CspMessages;
import dev.parley.codec.lambda.LambdaBuilder;
import dev.parley.codec.lambda.LambdaCodec;
import dev.parley.codec.slip.SlipBuilder;
import dev.parley.codec.slip.SlipCodec;
import dev.parley.codec.subit.SubitBuilder;
import dev.parley.codec.subit.SubitCodec;

/**
 * The examples of docs/clients.md. {@link LibraryExamplesTest} runs them and compares the code between the marks with
 * the page.
 */
final class LibraryExamples {

    private LibraryExamples() {}

    static void slip() {
        // example: slip
        SlipCodec codec = new SlipCodec();
        byte[] wire = "@a3|f0|c1|S0|d1|T1|k1|t\"auth\"#".getBytes(UTF_8);
        DecodeResult<SlipMessage> result = codec.decode(wire, DecodeOptions.LENIENT);
        if (result instanceof DecodeResult.Decoded<SlipMessage> decoded) {
            SlipMessage message = decoded.message();
            System.out.println(message.getAct() + " task " + message.getTaskId() + " " + decoded.warnings());
        } else if (result instanceof DecodeResult.Malformed<SlipMessage> error) {
            System.out.println(error.code() + " at byte " + error.offset() + ": " + error.detail());
        }

        SlipMessage plan = SlipBuilder.of(SlipAct.PROPOSE, SlipFrame.PLAN, 1, 1, 0, 2)
                .taskId(1)
                .tag("split \"auth\"")
                .build();
        System.out.println(new String(codec.encode(plan), UTF_8));
        // end
    }

    static void subit() {
        // example: subit
        SubitCodec codec = new SubitCodec();
        byte[] wire = "{\"type\":\"STATE\",\"payload\":\"000110\",\"meta\":{\"session\":\"crew-12\"}}".getBytes(UTF_8);
        if (codec.decode(wire, DecodeOptions.STRICT) instanceof Decoded<SubitMessage> decoded) {
            System.out.println(decoded.message().getForms() + " "
                    + codec.traits(decoded.message()).conversation());
        }

        SubitMessage intent = SubitBuilder.intent(0b000110, 0b110001)
                .agent("scout")
                .session("crew-12")
                .build();
        System.out.println(new String(codec.encode(intent), UTF_8));
        // end
    }

    static void csp() {
        // example: csp
        CspCodec codec = new CspCodec();
        CspMessages toBob = CspMessages.of("ada", "bob", "C0");
        CspMessage patch = toBob.patch("P1", "C0", "C1")
                .add("GOAL", "ship")
                .remove("DRAFT")
                .build();
        byte[] wire = codec.encode(patch);
        System.out.println(new String(wire, UTF_8));

        if (codec.decode(wire, DecodeOptions.STRICT) instanceof Decoded<CspMessage> decoded) {
            System.out.println(decoded.message().getOperations().get(0).getName() + " "
                    + codec.traits(patch).sender());
        }
        try {
            toBob.task("T1", "find it\nOWNER eve");
        } catch (IllegalArgumentException refused) {
            System.out.println(refused.getMessage());
        }
        // end
    }

    static void lambda() {
        // example: lambda
        LambdaCodec codec = new LambdaCodec();
        if (codec.decode("@A1: {ctx:auth}?Uc/la".getBytes(UTF_8), DecodeOptions.STRICT)
                instanceof Decoded<LambdaMessage> decoded) {
            LambdaMessage message = decoded.message();
            System.out.println(
                    message.getAddress() + " " + message.getStatements().get(0).getKind());
        }

        LambdaMessage answer = LambdaBuilder.message()
                .to("B1")
                .define("la", "login attempt")
                .state("Uc/la " + LambdaBuilder.quote("twice"))
                .build();
        System.out.println(new String(codec.encode(answer), UTF_8));
        // end
    }
}
