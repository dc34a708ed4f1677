# syntax=docker/dockerfile:1
# Two images, built from a clone or from the repository's address:
#   docker build -t flagstone https://git.example.com/flagstone.git                 serves: docs/deployment.md
#   docker build -t flagstone-ci --target ci https://git.example.com/flagstone.git  every command, with git, npm and a shell
# From an address, --build-arg BUILDKIT_CONTEXT_KEEP_GIT_DIR=1 keeps .git, from which the version names the commit.
# A tag may lead to a different image tomorrow, a digest cannot. RELEASING.md says how to check and update these two.
ARG NODE=node:24.18.0-bookworm@sha256:5711a0d445a1af54af9589066c646df387d1831a608226f4cd694fc59e745059
ARG DISTROLESS=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:af85d11ce7ef10172855a6e3649e3e8125b1b9e3ca41849ec2918036f05cb212

# The package and its dependencies are JavaScript for every platform: they are made once, and the later stages run nothing.
FROM --platform=$BUILDPLATFORM $NODE AS package
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund
RUN npm pack --pack-destination /packed
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund
RUN mkdir -p /app/bin && tar -xzf /packed/flagstone-*.tgz -C /app --strip-components=1 && mv node_modules /app/
RUN ln -s ../cli/flagstone.js /app/bin/flagstone
# A cache folder that only the image's user can read and write; a volume mounted there inherits its owner.
RUN install -d -m 0700 /cache/flagstone

FROM $NODE AS ci
LABEL org.opencontainers.image.title="flagstone-ci" org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.description="Checks, builds and publishes feature flags in CI."
ENV PATH=/app/bin:$PATH
# A checkout that is mounted belongs to a different user, and git would refuse to read it.
ENV GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=*
COPY --from=package /app /app
WORKDIR /work

FROM $DISTROLESS AS serve
LABEL org.opencontainers.image.title="flagstone" org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.description="Serves feature flags that were compiled from git."
ENV NODE_ENV=production
# Defaults; `docker run --env` overrides them.
ENV FLAGSTONE_HOST=0.0.0.0 FLAGSTONE_PORT=8080
# Anyone who reaches this port can read metrics and health details without a key: do not publish it.
ENV FLAGSTONE_ADMIN_HOST=0.0.0.0 FLAGSTONE_ADMIN_PORT=9090
# `docker stop` allows 10 s for this and for requests in flight; raise it if you allow more.
ENV FLAGSTONE_DRAIN_DELAY=5s
# Evaluates for browsers and for other languages' clients over HTTP. FLAGSTONE_CORS_ORIGIN names the pages that may ask;
# FLAGSTONE_TRUST_PROXY is the number of your load balancers in front, without which all clients share one address's limits.
ENV FLAGSTONE_OFREP=1
ENV FLAGSTONE_SNAPSHOTS=/srv/flagstone/dist FLAGSTONE_KEYS=/srv/flagstone/keys.yaml FLAGSTONE_CACHE_DIR=/var/cache/flagstone
COPY --from=package /app /app
COPY --from=package --chown=65532:65532 /cache/ /var/cache/
USER 65532
WORKDIR /srv/flagstone
EXPOSE 8080 9090
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.FLAGSTONE_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node runs as process 1, so it receives SIGTERM. The limit, in MB, keeps garbage from growing fourfold under load.
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=4", "/app/cli/flagstone.js"]
CMD ["serve"]
