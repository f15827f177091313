// The server's side of the binary messages, for the mock server and for tests.

import {frameMagic, type Spring, topologyMagic, type Vec3} from '../src/net/protocol';

class Writer {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  add(bytes: Uint8Array): void {
    this.chunks.push(bytes);
    this.size += bytes.byteLength;
  }
  u32(...values: number[]): void {
    this.add(new Uint8Array(new Uint32Array(values).buffer));
  }
  f32(...values: number[]): void {
    this.add(new Uint8Array(new Float32Array(values).buffer));
  }
  f64(value: number): void {
    this.add(new Uint8Array(new Float64Array([value]).buffer));
  }
  pad(): void {
    this.add(new Uint8Array((4 - (this.size % 4)) % 4));
  }
  done(): ArrayBuffer {
    const all = new Uint8Array(this.size);
    let at = 0;
    for (const chunk of this.chunks) {
      all.set(chunk, at);
      at += chunk.byteLength;
    }
    return all.buffer;
  }
}

export function encodeFrame(number: number, time: number, views: Float32Array[], spring: Spring | null, scenery = new Float32Array()): ArrayBuffer {
  const writer = new Writer();
  writer.u32(frameMagic, number);
  writer.f64(time);
  writer.u32(views.length);
  for (const positions of [...views, scenery]) {
    const low: Vec3 = positions.length > 0 ? [Infinity, Infinity, Infinity] : [0, 0, 0];
    const high: Vec3 = positions.length > 0 ? [-Infinity, -Infinity, -Infinity] : [0, 0, 0];
    positions.forEach((value, i) => {
      low[i % 3] = Math.min(low[i % 3], value);
      high[i % 3] = Math.max(high[i % 3], value);
    });
    const step = low.map((value, i) => Math.max(high[i] - value, 1e-9) / 65535) as Vec3;
    writer.f32(...low, ...step);
    writer.u32(positions.length / 3);
    const quantised = new Int16Array(positions.length);
    positions.forEach((value, i) => (quantised[i] = Math.round((value - low[i % 3]) / step[i % 3]) - 32768));
    writer.add(new Uint8Array(quantised.buffer));
    writer.pad();
  }
  writer.u32(spring ? 1 : 0);
  writer.f32(...(spring?.point ?? [0, 0, 0]), ...(spring?.target ?? [0, 0, 0]), spring?.force ?? 0);
  return writer.done();
}

interface Rest {
  lines?: number[][];
  sceneryVertices?: number;
  sceneryTriangles?: number[][];
}

export function encodeTopology(points: number[], bodyOf: number[], colors: number[][], triangles: number[][], text: object, {lines = [], sceneryVertices = 0, sceneryTriangles = []}: Rest = {}): ArrayBuffer {
  const writer = new Writer();
  writer.u32(topologyMagic, points.length, triangles.length, lines.length, sceneryVertices, sceneryTriangles.length, colors.length);
  points.forEach((point, i) => {
    writer.u32(point, bodyOf[i]);
    writer.add(new Uint8Array([...(colors[bodyOf[i]] ?? [128, 128, 128]), 0]));
  });
  for (const element of [...triangles, ...lines, ...sceneryTriangles]) writer.u32(...element);
  const bytes = new TextEncoder().encode(JSON.stringify(text));
  writer.u32(bytes.byteLength);
  writer.add(bytes);
  return writer.done();
}
