// What limited an engine, in words: where the time of its operations went.
import {grouped} from "./numbers.js";

// Less says nothing.
const LEAST = 0.05;

export const partsOf = (cost) => [
  {name: "computing", share: cost.computing},
  {name: cost.sync_calls === null || cost.sync_calls === 0 ? "in syncs"
    : `in ${grouped(cost.sync_calls)} sync${cost.sync_calls === 1 ? "" : "s"}`, share: cost.in_syncs},
  {name: "waiting", share: cost.waiting},
];

// "84 % computing, 21 % in 2 syncs". Empty where it is not known.
export const limitsOf = (cost) => (cost === null ? [] : partsOf(cost))
  .filter(({share}) => share !== null && share >= LEAST)
  .sort((one, other) => other.share - one.share)
  .map(({name, share}) => `${Math.round(share * 100)} % ${name}`).join(", ");

export const about = "Limited by: the shares of the time of an operation in which its thread computed, waited for " +
  "syncs, or waited for anything else (the device, a lock, a processor). The engine's own threads may sync " +
  "meanwhile, so they may be more than the whole.";
