package dev.parley.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.parley.server.HttpSecurityFactory;
import dev.parley.server.ServerConfig;
import dev.parley.server.auth.AuthenticationResult;
import dev.parley.server.auth.Authenticator;
import dev.parley.server.auth.Caller;
import dev.parley.server.auth.RateLimiter;
import dev.parley.server.auth.Role;
import dev.parley.server.http.HostNames;
import dev.parley.server.http.HttpSecurity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportAccessTest {
    private static final Caller ALICE = new Caller("alice", Role.AUDITOR);

    @Test
    void withoutAuthenticationAndWithoutARequestNothingChanges() {
        HttpSecurity open = security(Optional.empty());

        assertThat(ReportAccess.of(open, false)).isEqualTo(new ReportAccess(open, Optional.empty(), Optional.empty()));
    }

    @Test
    void aRequestedTokenIsOfAnOperatorAndAllOthersAreRefused() {
        ReportAccess access = ReportAccess.of(security(Optional.empty()), true);

        assertThat(role(access, access.operator().orElseThrow())).isEqualTo(Optional.of(Role.OPERATOR));
        assertThat(role(access, access.reader().orElseThrow())).isEqualTo(Optional.of(Role.READER));
        assertThat(role(access, "parley_other")).isEmpty();
        assertThat(role(access, "")).isEmpty();
    }

    @Test
    void theReportReadsBesideTheTokensThatAreConfigured() {
        Authenticator configured = new Authenticator(List.of(
                token -> token.equals("hers") ? Optional.of(new AuthenticationResult.Known(ALICE)) : Optional.empty()));
        ReportAccess access = ReportAccess.of(security(Optional.of(configured)), false);

        assertThat(access.operator()).isEmpty();
        assertThat(role(access, access.reader().orElseThrow())).isEqualTo(Optional.of(Role.READER));
        assertThat(role(access, "hers")).isEqualTo(Optional.of(Role.AUDITOR));
        assertThat(role(access, "parley_other")).isEmpty();
    }

    @Test
    void everyRunHasOtherTokens() {
        HttpSecurity open = security(Optional.empty());

        assertThat(ReportAccess.of(open, true).operator())
                .isNotEqualTo(ReportAccess.of(open, true).operator());
    }

    private static Optional<Role> role(ReportAccess access, String token) {
        return access.security().authentication().orElseThrow().identify(token)
                        instanceof AuthenticationResult.Known known
                ? Optional.of(known.caller().role())
                : Optional.empty();
    }

    private static HttpSecurity security(Optional<Authenticator> authentication) {
        return new HttpSecurity(
                Optional.empty(),
                authentication,
                new RateLimiter(100, 100, 10, System::nanoTime),
                HttpSecurityFactory.of(ServerConfig.of(Map.of()), warning -> {}).limits(),
                Optional.empty(),
                "",
                HostNames.ANY);
    }
}
