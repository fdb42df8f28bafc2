"""Browser push (RFC 8030): the message is encrypted for the browser (RFC 8291) and signed by this host (RFC 8292)."""

from __future__ import annotations

import base64
import os
import time
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from umpire.server.notices import Push, post

DAY = 24 * 3600


def new_key() -> str:
    """A signing key of this host, as text."""
    key = ec.generate_private_key(ec.SECP256R1())
    return _text(key.private_numbers().private_value.to_bytes(32, "big"))


class Pusher:
    def __init__(self, key: str, contact: str, inside: bool = False) -> None:
        self._key = ec.derive_private_key(int.from_bytes(_bytes(key), "big"), ec.SECP256R1())
        self._contact = contact
        self._inside = inside
        self.public = _text(_point(self._key.public_key()))
        """What browsers subscribe with."""

    def send(self, to: Push, message: bytes) -> None:
        headers = {
            "Authorization": f"vapid t={self._token(to.endpoint)}, k={self.public}",
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(DAY),
            "Urgency": "normal",
        }
        post(to.endpoint, encrypt(message, _bytes(to.p256dh), _bytes(to.auth)), headers, self._inside)

    def _token(self, endpoint: str) -> str:
        parts = urlsplit(endpoint)
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(time.time()) + DAY // 2, "sub": self._contact}
        head = _text(msgspec.json.encode({"typ": "JWT", "alg": "ES256"}))
        signed = f"{head}.{_text(msgspec.json.encode(claims))}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        return f"{signed}.{_text(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"


def encrypt(message: bytes, browser: bytes, auth: bytes, salt: bytes | None = None) -> bytes:
    """One record of `aes128gcm` that only that browser can read."""
    mine = ec.generate_private_key(ec.SECP256R1())
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser)
    own = _point(mine.public_key())
    salt = salt or os.urandom(16)
    shared = _hkdf(mine.exchange(ec.ECDH(), theirs), auth, b"WebPush: info\0" + browser + own, 32)
    key = _hkdf(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _hkdf(shared, salt, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, message + b"\2", None)
    return salt + (4096).to_bytes(4, "big") + bytes([len(own)]) + own + sealed


def _hkdf(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
