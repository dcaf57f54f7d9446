# syntax=docker/dockerfile:1
# Tributary for production: the server, the portal and the task pane. `docker run … tributary help` is the command line.
# Name the image by its digest where you need the same bytes each time: --build-arg NODE_IMAGE=node@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /source
# No package may run a script when it is installed; none that we need has one.
ENV npm_config_ignore_scripts=true npm_config_update_notifier=false
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY client/package.json client/
COPY engine/package.json engine/
COPY server/package.json server/
COPY sims/package.json sims/
COPY web/package.json web/
COPY addin/package.json addin/
COPY testing/package.json testing/
COPY vendor vendor
COPY stubs stubs
COPY tools/boot.mjs tools/
COPY tools/boot tools/boot
RUN --mount=type=cache,target=/root/.npm ["node", "tools/boot.mjs", "install"]
COPY . .
RUN ["node", "tools/boot.mjs", "pages"]
RUN ["node", "deploy/image/assemble.mjs", "/app"]

FROM ${NODE_IMAGE}
# npm, yarn and the entry script are for building: what is not there needs no patches.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* \
      /opt/yarn* /usr/local/bin/docker-entrypoint.sh /usr/local/include \
  && ln -s /app/deploy/image/tributary.mjs /usr/local/bin/tributary
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production TRIBUTARY_MODE=production
# Nothing is written but to /tmp: run it with a read-only root and a tmpfs there.
USER 65532:65532
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["node", "/app/deploy/image/healthcheck.mjs"]
# Node is the first process and handles the signals itself. No entry point, so that another command takes this one's place.
ENTRYPOINT []
CMD ["node", "server/src/main.ts"]
