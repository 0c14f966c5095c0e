// A certified OpenID provider. Users sign in with any password; their name is their role.
//   node provider.mjs PORT REDIRECT    REDIRECT: address of the console
import Provider from "oidc-provider";

const [port, redirect] = process.argv.slice(2);

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: "console",
      token_endpoint_auth_method: "none",
      redirect_uris: [redirect],
      post_logout_redirect_uris: [redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
  ],
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  extraTokenClaims: (_, token) => ({ roles: [`parley-${token.accountId}`] }),
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  features: {
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => "urn:parley",
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: "", audience: "parley", accessTokenFormat: "jwt", accessTokenTTL: 600 }),
    },
  },
});
provider.on("server_error", (_, failure) => console.error(failure));
const server = provider.listen(Number(port), "127.0.0.1", () => console.log("ready"));
// Ends with its test.
process.stdin.on("end", () => { server.close(); process.exit(); }).resume();
