package dev.parley.server.api;

import dev.parley.json.model.CallerInfo;
import dev.parley.protocol.Protocols;
import dev.parley.server.api.view.Parameters;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.Role;
import dev.parley.server.feature.Contributions;
import dev.parley.server.http.ApiRequest;
import dev.parley.server.http.SecurityFilter;
import java.util.List;

/**
 * Answers who the caller is and which capabilities the caller has, so that a client shows no others.
 *
 * @param contributions all capabilities; read when a request arrives
 * @param tokens whether requests need a token
 */
record CallerHandler(Contributions contributions, boolean tokens) {

    CallerInfo whoami(ApiRequest request) {
        Parameters.of(request);
        Caller caller = SecurityFilter.caller(request);
        return new CallerInfo(
                tokens,
                caller.name(),
                Role.GIVEN.stream()
                        .filter(caller.role()::includes)
                        .map(Role::text)
                        .toList(),
                caller.namespaces()
                        .map(bound -> bound.stream().sorted().toList())
                        .orElse(List.of("*")),
                Protocols.STANDARD.wire().all().stream()
                        .map(protocol -> new CallerInfo.ProtocolName(protocol.name(), protocol.title()))
                        .toList(),
                contributions.capabilities(caller));
    }
}
