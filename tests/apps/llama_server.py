"""Starts the server of llama.cpp, which the package xllamacpp holds as a library, with the arguments of `llama-server`.

As `llama_server.py --make FILE` it writes a model instead: one small layer of random weights, over single bytes.
"""

from __future__ import annotations

import sys
import threading

WIDTH, HEADS, FEED = 32, 2, 64


def serve(argv: list[str]) -> None:
    import xllamacpp

    # As llama-server reads them: an option and its value are two words, never one with "=".
    given = dict(zip(argv[::2], argv[1::2], strict=True))
    params = xllamacpp.CommonParams()
    params.hostnames, params.api_prefix = [given.pop("--host")], given.pop("--api-prefix")
    params.model.path, params.n_parallel = given.pop("--model"), 1
    params.n_ctx, params.n_gpu_layers = int(given.pop("--ctx-size")), int(given.pop("--gpu-layers"))
    if given:
        sys.exit(f"error: invalid argument: {next(iter(given))}")
    server = xllamacpp.Server(params)
    print("listening at", server.listening_address, flush=True)
    threading.Event().wait()


def make(path: str) -> None:
    import gguf
    import numpy as np

    random = np.random.default_rng(1)
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL] + [gguf.TokenType.BYTE] * 256
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(512)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(FEED)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_chat_template("{% for message in messages %}{{ message['content'] }}\n{% endfor %}")
    shapes = {"token_embd": (len(tokens), WIDTH), "output": (len(tokens), WIDTH)}
    shapes |= {f"blk.0.{name}": (WIDTH, WIDTH) for name in ("attn_q", "attn_k", "attn_v", "attn_output")}
    shapes |= {"blk.0.ffn_gate": (FEED, WIDTH), "blk.0.ffn_up": (FEED, WIDTH), "blk.0.ffn_down": (WIDTH, FEED)}
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", random.normal(0, 0.5, shape).astype(np.float32))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        make(sys.argv[2])
    else:
        serve(sys.argv[1:])
