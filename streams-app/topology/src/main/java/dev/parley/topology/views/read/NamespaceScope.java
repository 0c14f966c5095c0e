package dev.parley.topology.views.read;

import dev.parley.topology.topics.ChainNames;
import dev.parley.topology.topics.ChainPartitioner;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The namespaces whose data a reader sees. Records without a namespace, such as undecodable ones, are only in the scope
 * of all namespaces, whatever they claim.
 *
 * @param namespaces names of the namespaces; empty for all
 */
public record NamespaceScope(Optional<Set<String>> namespaces) {

    /** All namespaces, and the records without one. */
    public static final NamespaceScope ALL = new NamespaceScope(Optional.empty());

    /** Copies the names. The placeholder of an absent namespace is none of them. */
    public NamespaceScope {
        namespaces = namespaces.map(names -> names.stream()
                .filter(name -> !name.equals(ChainPartitioner.NO_NAMESPACE))
                .collect(Collectors.toUnmodifiableSet()));
    }

    /** Whether it includes everything. */
    public boolean isAll() {
        return namespaces.isEmpty();
    }

    /**
     * Whether it includes the data of a namespace.
     *
     * @param namespace null for data without one
     */
    public boolean includes(String namespace) {
        return isAll() || namespace != null && namespaces.get().contains(namespace);
    }

    /** Whether it includes the records of a chain. */
    public boolean includesChain(String chain) {
        return isAll() || includes(ChainNames.of(chain).namespace());
    }

    /**
     * The namespaces to read for a filter.
     *
     * @param wanted the only namespace that the filter selects; empty if it selects all
     * @return their names, or one empty element for all
     */
    public List<Optional<String>> select(Optional<String> wanted) {
        if (isAll()) {
            return List.of(wanted);
        }
        return namespaces.get().stream()
                .filter(name -> wanted.isEmpty() || wanted.get().equals(name))
                .map(Optional::of)
                .toList();
    }
}
