// What a page has: OpenFeature's SDK for browsers and its OFREP provider, both unchanged.
import { OFREPWebProvider } from "@openfeature/ofrep-web-provider"
import { OpenFeature } from "@openfeature/web-sdk"

Object.assign(globalThis, { OpenFeature, OFREPWebProvider })
