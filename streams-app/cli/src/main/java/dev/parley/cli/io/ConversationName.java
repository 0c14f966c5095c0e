package dev.parley.cli.io;

/**
 * A conversation as {@code --conversation} names it: namespace/protocol/ID.
 *
 * @param protocol as given, in any case
 * @param id may contain slashes
 */
public record ConversationName(String namespace, String protocol, String id) {

    /**
     * Parses the value of {@code --conversation}.
     *
     * @throws UsageException if it has another form
     */
    public static ConversationName of(String conversation) {
        int protocol = conversation.indexOf('/');
        int id = conversation.indexOf('/', protocol + 1);
        if (protocol < 1 || id <= protocol + 1 || id + 1 == conversation.length()) {
            throw new UsageException(
                    "--conversation must be NAMESPACE/PROTOCOL/CONVERSATION, but was '" + conversation + "'");
        }
        return new ConversationName(
                conversation.substring(0, protocol),
                conversation.substring(protocol + 1, id),
                conversation.substring(id + 1));
    }
}
