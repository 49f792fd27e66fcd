// A real identity provider (the npm package oidc-provider) for one client. Whoever signs in as `ada` is in the
// group `buyers`, anybody else in none. It says its address when it listens.
import Provider from "oidc-provider";

const [port, redirect, home, logout] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "parley",
      client_secret: "a-secret",
      redirect_uris: [redirect],
      post_logout_redirect_uris: [home],
      backchannel_logout_uri: logout,
      backchannel_logout_session_required: true,
    },
  ],
  claims: { openid: ["sub", "groups"], profile: ["name"] },
  conformIdTokenClaims: false,
  cookies: { keys: ["only-for-tests"] },
  features: { backchannelLogout: { enabled: true } },
  // Its own refuses addresses of this machine, which are all that a test has.
  fetch: (url, { dispatcher, ...options }) => fetch(url, options),
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, name: `The person ${id}`, groups: id === "ada" ? ["buyers"] : [] }),
  }),
});
provider.on("backchannel.error", (_, error) => console.error(error));
provider.listen(Number(port), "127.0.0.1", () => console.log(issuer));
