/** Small sounds made in the browser: dice, a stamp, a bell. Nothing is loaded, and a click turns them off. */
import { useSettings } from "../settings";

let context: AudioContext | null = null;

/** Browsers let a page be heard only after a touch; before that nothing is missed. */
function stage(): AudioContext | null {
  if (!useSettings.getState().sound || !navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  return context;
}

function noise(stage: AudioContext, at: number, seconds: number, pitch: number, loud: number): void {
  const length = Math.ceil(stage.sampleRate * seconds);
  const buffer = stage.createBuffer(1, length, stage.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = new AudioBufferSourceNode(stage, { buffer });
  const filter = new BiquadFilterNode(stage, { type: "bandpass", frequency: pitch, Q: 1.4 });
  source.connect(filter).connect(new GainNode(stage, { gain: loud })).connect(stage.destination);
  source.start(stage.currentTime + at);
}

export const sound = {
  dice: (count: number) => {
    const on = stage();
    if (on) for (let i = 0; i < Math.min(9, 2 + count); i++) noise(on, i * 0.05 + Math.random() * 0.03, 0.045, 1900 + Math.random() * 1400, 0.22);
  },
  stamp: () => {
    const on = stage();
    if (on) noise(on, 0, 0.14, 160, 0.9);
  },
  bell: () => {
    const on = stage();
    if (!on) return;
    for (const [pitch, loud] of [[880, 0.12], [1320, 0.06], [2217, 0.03]] as const) {
      const gain = new GainNode(on, { gain: loud });
      gain.gain.exponentialRampToValueAtTime(0.0001, on.currentTime + 1.1);
      const tone = new OscillatorNode(on, { frequency: pitch });
      tone.connect(gain).connect(on.destination);
      tone.start();
      tone.stop(on.currentTime + 1.1);
    }
  },
};
