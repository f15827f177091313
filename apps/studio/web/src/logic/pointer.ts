// JSON pointers (RFC 6901), and changes of a document with what takes them back.

export type Json = null | boolean | number | string | Json[] | {[key: string]: Json};
export interface Change {
  at: string;
  value?: Json;
  remove?: true;
}

export function split(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replace(/~1/g, '/').replace(/~0/g, '~'));
}

export function join(pointer: string, ...parts: (string | number)[]): string {
  return pointer + parts.map((part) => '/' + String(part).replace(/~/g, '~0').replace(/\//g, '~1')).join('');
}

export function get(document: Json | undefined, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of split(pointer)) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (value !== null && typeof value === 'object') value = value[part];
    else return undefined;
  }
  return value;
}

export function clone<T extends Json | undefined>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T);
}

export function equal(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((v, i) => equal(v, b[i]));
  const x = a as {[k: string]: Json};
  const y = b as {[k: string]: Json};
  const keys = Object.keys(x);
  return keys.length === Object.keys(y).length && keys.every((k) => k in y && equal(x[k], y[k]));
}

/** Changes that make `b` of `a`: objects are compared member by member, anything else is replaced as a whole. */
export function difference(a: Json, b: Json, at = ''): Change[] {
  if (equal(a, b)) return [];
  const isObject = (value: Json): value is {[key: string]: Json} => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) return a.flatMap((value, i) => difference(value, b[i], join(at, i)));
  if (!isObject(a) || !isObject(b)) return [{at, value: clone(b)}];
  const gone = Object.keys(a).filter((key) => !(key in b)).map((key): Change => ({at: join(at, key), remove: true}));
  return [...gone, ...Object.keys(b).flatMap((key) => (key in a ? difference(a[key], b[key], join(at, key)) : [{at: join(at, key), value: clone(b[key])}]))];
}

/** Applies one change to a copy; `inverse` takes it back. Throws where the pointer leads nowhere. */
export function apply(document: Json, change: Change): {document: Json; inverse: Change} {
  if (change.at === '') return {document: clone(change.value ?? null), inverse: {at: '', value: document}};
  const copy = clone(document);
  const parts = split(change.at);
  const key = parts.pop() as string;
  const parentAt = join('', ...parts);
  const parent = get(copy, parentAt);
  if (parent === null || typeof parent !== 'object') throw new Error(`${change.at}: there is no ${parentAt || 'object'} to change`);
  if (Array.isArray(parent)) return {document: copy, inverse: applyToList(parent, parentAt, key, change)};
  const had = key in parent;
  const inverse: Change = had ? {at: change.at, value: parent[key]} : {at: change.at, remove: true};
  if (change.remove) delete parent[key];
  else parent[key] = clone(change.value ?? null);
  return {document: copy, inverse};
}

function applyToList(list: Json[], at: string, key: string, change: Change): Change {
  const before: Json = clone(list);
  if (change.remove) {
    list.splice(Number(key), 1);
    return {at, value: before}; // pointers replace, they cannot insert: the whole list goes back
  }
  if (key === '-') {
    list.push(clone(change.value ?? null));
    return {at: join(at, list.length - 1), remove: true};
  }
  const index = Number(key);
  if (!(index >= 0 && index < list.length)) throw new Error(`${change.at}: the list has ${list.length} entries`);
  const inverse: Change = {at: change.at, value: list[index]};
  list[index] = clone(change.value ?? null);
  return inverse;
}

/** Several changes in a row; the inverse ones come in the order in which they must be made. */
export function applyAll(document: Json, changes: Change[]): {document: Json; inverse: Change[]} {
  let result = document;
  const inverse: Change[] = [];
  for (const change of changes) {
    const next = apply(result, change);
    result = next.document;
    inverse.unshift(next.inverse);
  }
  return {document: result, inverse};
}
