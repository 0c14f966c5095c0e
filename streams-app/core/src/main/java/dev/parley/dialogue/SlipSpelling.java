package dev.parley.dialogue;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.parley.avro.SlipMessage;
import dev.parley.codec.Code;
import dev.parley.codec.Warnings;
import dev.parley.codec.slip.SlipCodec;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** Recognizes numbers of SLIP messages whose digits were probably meant as a decimal number, a name or no value. */
final class SlipSpelling {
    private static final int BASE = 62;

    /** Digits from here on are upper-case letters. */
    private static final int FIRST_LETTER = 10;

    /** Digits from here on are lower-case letters. */
    private static final int FIRST_LOWER = 36;

    /** Bits of the letters A, E, I, O, U and Y. */
    private static final int VOWELS = 1 | 1 << 4 | 1 << 8 | 1 << 14 | 1 << 20 | 1 << 24;

    /** Shorter digits with a leading letter and a zero are usually numbers. */
    private static final long MIN_PADDED_NAME = 62 * 62 * 62;

    /** Fewer agents are usually numbered. */
    private static final long MIN_AGENT_WORD = 62 * 62;

    /** Four letters: fewer tasks are usually numbered. */
    private static final long MIN_TASK_WORD = MIN_PADDED_NAME;

    private static final long MIN_WORD = (1L << 31) + 1;
    private static final int MIN_LETTERS = 3;

    private static final long NEAR_TURNS = 10;

    /** The numbers that words for a missing value or a placeholder spell in any usual case, in ascending order. */
    private static final long[] PLACEHOLDERS = Stream.of(
                    "null", "none", "nil", "nan", "NaN", "undefined", "unknown", "tbd", "todo", "xxx", "turn", "next")
            .flatMap(word -> Stream.of(
                    word, word.toUpperCase(Locale.ROOT), Character.toUpperCase(word.charAt(0)) + word.substring(1)))
            .mapToLong(word -> SlipCodec.number(word.getBytes(US_ASCII), 0, word.length()))
            .sorted()
            .toArray();

    private static final long MIN_STATUS = 100;
    private static final long MAX_STATUS = 599;

    /** What a sender that counts to 10 in decimal writes as a score. */
    private static final long DECIMAL_TEN = BASE;

    private SlipSpelling() {}

    /**
     * Adds the warnings about the numbers of a message.
     *
     * @param last the last turn; -1 if there is none
     */
    static void warn(SlipMessage slip, long last, Warnings warnings) {
        if (!decimals(slip, last).isEmpty()) {
            warnings.add(Code.SLIP_DECIMAL);
        }
        if (!names(slip, last).isEmpty()) {
            warnings.add(Code.SLIP_NAME_AS_NUMBER);
        }
    }

    /**
     * Names the likely cause of the warnings about numbers.
     *
     * @param last the last turn; -1 if there is none
     * @return sentences; empty without such a warning
     */
    static String causes(SlipMessage slip, long last) {
        String names = names(slip, last);
        String causes = names.isEmpty()
                ? ""
                : "Values are base62 numbers: " + names
                        + ". Number what you mean, omit a slot without a value, and write names into t\"...\".";
        return (decimals(slip, last) + causes).strip();
    }

    private static String decimals(SlipMessage slip, long last) {
        String decimals = "";
        if (isDecimalTurn(last, slip.getTurn())) {
            decimals = field('T', slip.getTurn()) + " follows " + field('T', last)
                    + " in decimal only: the next turn is " + field('T', last + 1) + ". ";
        }
        if (isDecimalStatus(slip.getErrorCode())) {
            decimals += decimal('e', slip.getErrorCode());
        }
        if (slip.getScore() != null && slip.getScore() == DECIMAL_TEN) {
            decimals += decimal('s', slip.getScore());
        }
        return decimals;
    }

    private static String decimal(char prefix, long number) {
        return field(prefix, number) + " is base62; write " + field(prefix, decimal(number)) + ". ";
    }

    /** Lists the values that spell a name or no value; empty if none does. A turn that follows another does not. */
    private static String names(SlipMessage slip, long last) {
        String names = name("", 'c', slip.getConversation(), MIN_WORD);
        names = name(names, 'S', slip.getSource(), MIN_AGENT_WORD);
        names = name(names, 'd', slip.getDestination(), MIN_AGENT_WORD);
        if (slip.getTurn() - last > 1) {
            names = name(names, 'T', slip.getTurn(), MIN_TASK_WORD);
        }
        names = name(names, 'g', slip.getGoalId());
        names = name(names, 'k', slip.getTaskId());
        names = name(names, 'p', slip.getParentTaskId());
        names = name(names, 'r', slip.getResultId());
        names = name(names, 'q', slip.getPriority());
        names = name(names, 's', slip.getScore());
        return name(names, 'e', slip.getErrorCode());
    }

    private static String name(String names, char prefix, Long id) {
        return id == null ? names : name(names, prefix, id, MIN_TASK_WORD);
    }

    private static String name(String names, char prefix, long id, long minWord) {
        return isPlaceholder(id) || id >= Math.min(minWord, MIN_PADDED_NAME) && spellsName(id, minWord)
                ? names + (names.isEmpty() ? "" : ", ") + field(prefix, id)
                : names;
    }

    private static boolean isPlaceholder(long number) {
        return number >= PLACEHOLDERS[0] && Arrays.binarySearch(PLACEHOLDERS, number) >= 0;
    }

    /** Whether a turn spells no value, and is so far above the last one that counting did not lead there. */
    static boolean isPlaceholderTurn(long last, long turn) {
        return isPlaceholder(turn) && turn / 2 > last;
    }

    /** Returns a number as on the wire, and in decimal if that is written differently: "T8", "TA (10)". */
    static String field(char prefix, long number) {
        String digits = SlipCodec.digits(number);
        return prefix + digits + (number > 9 ? " (" + number + ")" : "");
    }

    /** Whether a sender that counts in decimal would write this turn after the last one. */
    static boolean isDecimalTurn(long last, long turn) {
        if (last < 0 || turn - last < 2) {
            return false;
        }
        long meant = decimal(turn);
        return meant > 0 && (meant - 1 == last || meant - 1 == decimal(last));
    }

    /** Whether a turn would follow the last one if its digits were decimal. */
    static boolean wouldFollow(long last, long turn) {
        return last >= BASE && decimal(last) >= 0 && turn - decimal(last) <= 1 && decimal(last) - turn < NEAR_TURNS;
    }

    /** Whether an error code reads like a status of HTTP, such as e404. */
    private static boolean isDecimalStatus(Long code) {
        return code != null && code >= BASE * BASE && decimal(code) >= MIN_STATUS && decimal(code) <= MAX_STATUS;
    }

    /** The decimal reading of a number's base62 digits; -1 if they contain a letter. */
    private static long decimal(long number) {
        long decimal = 0;
        long unit = 1;
        for (long rest = number; rest > 0; rest /= BASE) {
            if (rest % BASE > 9) {
                return -1;
            }
            decimal += rest % BASE * unit;
            unit *= 10;
        }
        return decimal;
    }

    /**
     * Whether the digits are a word, perhaps with a number after it, or letters with a padded number, such as T001. A
     * word has one case, perhaps after a capital, and is not only vowels or only consonants.
     *
     * @param minWord smallest number that counts as a word
     */
    private static boolean spellsName(long id, long minWord) {
        long rest = id;
        long digit = rest % BASE;
        int decimals = 0;
        boolean padded = false;
        for (; rest > 0 && digit < FIRST_LETTER; digit = rest % BASE) {
            decimals++;
            padded = decimals >= 2 && digit == 0;
            rest /= BASE;
        }
        int letters = 0;
        int upper = 0;
        int vowels = 0;
        for (; rest > 0; rest /= BASE) {
            digit = rest % BASE;
            if (digit < FIRST_LETTER) {
                return false;
            }
            letters++;
            upper += digit < FIRST_LOWER ? 1 : 0;
            vowels += VOWELS >> (digit - FIRST_LETTER) % (FIRST_LOWER - FIRST_LETTER) & 1;
        }
        boolean oneCase = upper == 0 || upper == letters || upper == 1 && digit < FIRST_LOWER;
        return padded && letters > 0 && id >= MIN_PADDED_NAME
                || letters >= MIN_LETTERS && id >= minWord && oneCase && vowels > 0 && vowels < letters;
    }
}
